import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.Ed25519Verifier;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.KeyType;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.MalformedURLException;
import java.net.URI;
import java.text.ParseException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtClaimValidator;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

/** Reads tokens, one a line, and says of each whether it is good: Verify issuer audience. */
public class Verify {
  // In docs/guide/libraries.md:
  /** The bean that a resource server needs: `http.oauth2ResourceServer(server -> server.jwt(withDefaults()))`. */
  static JwtDecoder jwtDecoder(String issuer, String audience) throws MalformedURLException {
    var decoder = new NimbusJwtDecoder(new Ed25519Processor(issuer));
    decoder.setJwtValidator(
        new DelegatingOAuth2TokenValidator<>(
            new JwtTimestampValidator(),
            new JwtIssuerValidator(issuer),
            new JwtClaimValidator<Instant>(JwtClaimNames.EXP, Objects::nonNull),
            new JwtClaimValidator<List<String>>(
                JwtClaimNames.AUD, found -> found != null && found.contains(audience))));
    return decoder;
  }

  /** The processor of Nimbus, which by default does not support keys of this type. */
  static class Ed25519Processor extends DefaultJWTProcessor<SecurityContext> {
    private final JWKSource<SecurityContext> keys;

    Ed25519Processor(String issuer) throws MalformedURLException {
      keys = JWKSourceBuilder.create(URI.create(issuer + "/.well-known/jwks.json").toURL()).build();
      setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(new JOSEObjectType("at+jwt")));
    }

    @Override
    public JWTClaimsSet process(SignedJWT jwt, SecurityContext context)
        throws BadJOSEException, JOSEException {
      var header = jwt.getHeader();
      getJWSTypeVerifier().verify(header.getType(), context);
      if (!JWSAlgorithm.EdDSA.equals(header.getAlgorithm())) {
        throw new BadJOSEException("not EdDSA");
      }
      var matcher = new JWKMatcher.Builder().keyType(KeyType.OKP).keyID(header.getKeyID()).build();
      for (var key : keys.get(new JWKSelector(matcher), context)) {
        if (jwt.verify(new Ed25519Verifier(key.toOctetKeyPair()))) return claimsOf(jwt);
      }
      throw new BadJOSEException("no key of the issuer has signed it");
    }

    private static JWTClaimsSet claimsOf(SignedJWT jwt) throws BadJOSEException {
      try {
        return jwt.getJWTClaimsSet();
      } catch (ParseException error) {
        throw new BadJOSEException("its claims can't be read", error);
      }
    }
  }
  // To here.

  public static void main(String[] arguments) throws Exception {
    var decoder = jwtDecoder(arguments[0], arguments[1]);
    for (var token : new BufferedReader(new InputStreamReader(System.in)).lines().toList()) {
      try {
        System.out.println("accepted: " + decoder.decode(token).getSubject());
      } catch (JwtException error) {
        System.out.println("refused: " + error.getMessage().replace('\n', ' '));
      }
    }
  }
}
