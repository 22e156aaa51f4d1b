import io.jsonwebtoken.Claims;
import io.jsonwebtoken.JwtException;
import io.jsonwebtoken.JwtParser;
import io.jsonwebtoken.Jwts;
import io.jsonwebtoken.security.Jwk;
import io.jsonwebtoken.security.Jwks;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.security.Key;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads tokens, one a line, and says of each whether it is good: Verify issuer audience. */
public class Verify {
  // In docs/guide/libraries.md:
  /** Fetch them again every five minutes, and when a token names an unknown key. */
  static Map<String, Key> fetchKeys(String issuer) throws IOException {
    try (var body = URI.create(issuer + "/.well-known/jwks.json").toURL().openStream()) {
      var set = Jwks.setParser().build().parse(body);
      return set.getKeys().stream().collect(Collectors.toMap(Jwk::getId, Jwk::toKey));
    }
  }

  static JwtParser parserFor(String issuer, String audience, Map<String, Key> keys) {
    return Jwts.parser()
        .sig().clear().add(Jwts.SIG.EdDSA).and()
        .keyLocator(header -> keys.get(header.get("kid")))
        .requireIssuer(issuer)
        .requireAudience(audience)
        .build();
  }

  static Claims verify(JwtParser parser, String token) {
    var jws = parser.parseSignedClaims(token);
    if (!"at+jwt".equals(jws.getHeader().getType())) throw new JwtException("not an access token");
    if (jws.getPayload().getExpiration() == null) throw new JwtException("no expiry");
    return jws.getPayload();
  }
  // To here.

  public static void main(String[] arguments) throws Exception {
    var parser = parserFor(arguments[0], arguments[1], fetchKeys(arguments[0]));
    for (var token : new BufferedReader(new InputStreamReader(System.in)).lines().toList()) {
      try {
        System.out.println("accepted: " + verify(parser, token).getSubject());
      } catch (JwtException | IllegalArgumentException error) {
        System.out.println("refused: " + error.getMessage().replace('\n', ' '));
      }
    }
  }
}
