// Reads tokens, one a line, and says of each whether it is good: verify <issuer> <audience>
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
)

// In docs/guide/libraries.md:
func newVerifier(ctx context.Context, issuer, audience string) *oidc.IDTokenVerifier {
	keys := oidc.NewRemoteKeySet(ctx, issuer+"/.well-known/jwks.json")
	return oidc.NewVerifier(issuer, keys, &oidc.Config{
		ClientID:             audience,
		SupportedSigningAlgs: []string{oidc.EdDSA},
	})
}

func verify(ctx context.Context, verifier *oidc.IDTokenVerifier, token string) (*oidc.IDToken, error) {
	claims, err := verifier.Verify(ctx, token)
	if err != nil {
		return nil, err
	}
	// The library has verified the signature, but does not return the header.
	signed, err := jose.ParseSigned(token, []jose.SignatureAlgorithm{jose.EdDSA})
	if err != nil {
		return nil, err
	}
	if signed.Signatures[0].Protected.ExtraHeaders[jose.HeaderType] != "at+jwt" {
		return nil, errors.New("not an access token")
	}
	return claims, nil
}

// To here.

func main() {
	ctx := context.Background()
	verifier := newVerifier(ctx, os.Args[1], os.Args[2])
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if claims, err := verify(ctx, verifier, lines.Text()); err != nil {
			fmt.Println("refused:", err)
		} else {
			fmt.Println("accepted:", claims.Subject)
		}
	}
}
