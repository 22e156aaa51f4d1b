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
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.MalformedURLException;
import java.net.URI;
import java.text.ParseException;
import java.util.Set;

/** Reads tokens, one a line, and says of each whether it is good: Verify issuer audience. */
public class Verify {
  // In docs/guide/libraries.md:
  private final DefaultJOSEObjectTypeVerifier<SecurityContext> types =
      new DefaultJOSEObjectTypeVerifier<>(new JOSEObjectType("at+jwt"));
  private final DefaultJWTClaimsVerifier<SecurityContext> rules;
  private final JWKSource<SecurityContext> keys;

  Verify(String issuer, String audience) throws MalformedURLException {
    var expected = new JWTClaimsSet.Builder().issuer(issuer).build();
    rules = new DefaultJWTClaimsVerifier<>(audience, expected, Set.of("exp"));
    keys = JWKSourceBuilder.create(URI.create(issuer + "/.well-known/jwks.json").toURL()).build();
  }

  JWTClaimsSet verify(String token) throws ParseException, JOSEException, BadJOSEException {
    var jwt = SignedJWT.parse(token);
    var header = jwt.getHeader();
    types.verify(header.getType(), null);
    if (!JWSAlgorithm.EdDSA.equals(header.getAlgorithm())) {
      throw new BadJOSEException("not EdDSA");
    }
    // DefaultJWTProcessor of Nimbus does not support keys of this type.
    var matcher = new JWKMatcher.Builder().keyType(KeyType.OKP).keyID(header.getKeyID()).build();
    for (var key : keys.get(new JWKSelector(matcher), null)) {
      if (jwt.verify(new Ed25519Verifier(key.toOctetKeyPair()))) {
        rules.verify(jwt.getJWTClaimsSet(), null);
        return jwt.getJWTClaimsSet();
      }
    }
    throw new BadJOSEException("no key of the issuer has signed it");
  }
  // To here.

  public static void main(String[] arguments) throws Exception {
    var verifier = new Verify(arguments[0], arguments[1]);
    for (var token : new BufferedReader(new InputStreamReader(System.in)).lines().toList()) {
      try {
        System.out.println("accepted: " + verifier.verify(token).getSubject());
      } catch (ParseException | JOSEException | BadJOSEException error) {
        System.out.println("refused: " + error.getMessage());
      }
    }
  }
}
