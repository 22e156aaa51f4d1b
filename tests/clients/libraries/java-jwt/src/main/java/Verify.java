import com.auth0.jwt.algorithms.Algorithm;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Verify issuer audience: reads tokens, one a line. It accepts none: java-jwt has no EdDSA. */
public class Verify {
  public static void main(String[] arguments) throws Exception {
    // Every algorithm that it offers, by the names of the methods that make them.
    var offered =
        Arrays.stream(Algorithm.class.getMethods())
            .filter(method -> method.getReturnType() == Algorithm.class)
            .map(method -> method.getName())
            .collect(Collectors.toCollection(TreeSet::new));
    if (offered.stream().anyMatch(name -> name.startsWith("Ed"))) {
      System.out.println("There is one: " + offered);
      return;
    }
    for (var token : new BufferedReader(new InputStreamReader(System.in)).lines().toList()) {
      System.out.println("refused: no EdDSA among the algorithms " + offered);
    }
  }
}
