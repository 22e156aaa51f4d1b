import java.io.BufferedReader;
import java.io.InputStreamReader;
import org.jose4j.jwa.AlgorithmConstraints.ConstraintType;
import org.jose4j.jwk.HttpsJwks;
import org.jose4j.jwt.MalformedClaimException;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.jwt.consumer.JwtConsumer;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;
import org.jose4j.keys.resolvers.HttpsJwksVerificationKeyResolver;

/** Reads tokens, one a line, and says of each whether it is good: Verify issuer audience. */
public class Verify {
  // In docs/guide/libraries.md:
  static JwtConsumer consumerFor(String issuer, String audience) {
    var keys = new HttpsJwks(issuer + "/.well-known/jwks.json");
    return new JwtConsumerBuilder()
        .setVerificationKeyResolver(new HttpsJwksVerificationKeyResolver(keys))
        .setJwsAlgorithmConstraints(ConstraintType.PERMIT, "EdDSA")
        .setExpectedType(true, "at+jwt")
        .setExpectedIssuer(issuer)
        .setExpectedAudience(audience)
        .setRequireExpirationTime()
        .build();
  }

  // Then for each token: consumer.processToClaims(token)
  // To here.

  public static void main(String[] arguments) throws Exception {
    var consumer = consumerFor(arguments[0], arguments[1]);
    for (var token : new BufferedReader(new InputStreamReader(System.in)).lines().toList()) {
      try {
        System.out.println("accepted: " + consumer.processToClaims(token).getSubject());
      } catch (InvalidJwtException | MalformedClaimException error) {
        System.out.println("refused: " + error.getMessage().replace('\n', ' '));
      }
    }
  }
}
