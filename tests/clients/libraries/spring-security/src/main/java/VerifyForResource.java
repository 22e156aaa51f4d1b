import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.Objects;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtValidators;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

/**
 * Reads tokens of a resource, one per line, and prints whether each is valid: VerifyForResource issuer resource. With
 * `default` as the third argument, by what Spring checks by default.
 */
public class VerifyForResource {
  // In docs/guide/libraries.md:
  static JwtDecoder jwtDecoder(String issuer, String resource) {
    var decoder =
        NimbusJwtDecoder.withJwkSetUri(issuer + "/.well-known/jwks.json")
            .jwsAlgorithm(SignatureAlgorithm.ES256)
            .validateType(false)
            .build();
    decoder.setJwtValidator(
        JwtValidators.createAtJwtValidator()
            .issuer(issuer)
            .audience(resource)
            .validators(
                all ->
                    all.put(
                        "client_id", new JwtClaimValidator<>("client_id", Objects::nonNull)))
            .build());
    return decoder;
  }
  // To here.

  static JwtDecoder defaultDecoder(String issuer) {
    return NimbusJwtDecoder.withJwkSetUri(issuer + "/.well-known/jwks.json")
        .jwsAlgorithm(SignatureAlgorithm.ES256)
        .build();
  }

  public static void main(String[] arguments) throws Exception {
    var isDefault = arguments.length > 2 && arguments[2].equals("default");
    var decoder =
        isDefault ? defaultDecoder(arguments[0]) : jwtDecoder(arguments[0], arguments[1]);
    for (var token : new BufferedReader(new InputStreamReader(System.in)).lines().toList()) {
      try {
        System.out.println("accepted: " + decoder.decode(token).getSubject());
      } catch (JwtException error) {
        System.out.println("refused: " + error.getMessage().replace('\n', ' '));
      }
    }
  }
}
