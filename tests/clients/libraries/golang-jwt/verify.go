// Reads tokens, one a line, and says of each whether it is good: verify <issuer> <audience>
package main

import (
	"bufio"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
)

// In docs/guide/libraries.md:
// The keys come from keyfunc.NewDefault([]string{issuer + "/.well-known/jwks.json"}).
func verify(token string, keys keyfunc.Keyfunc, issuer, audience string) (jwt.MapClaims, error) {
	claims := jwt.MapClaims{}
	parsed, err := jwt.ParseWithClaims(token, claims, keys.Keyfunc,
		jwt.WithValidMethods([]string{"EdDSA"}),
		jwt.WithIssuer(issuer),
		jwt.WithAudience(audience),
		jwt.WithExpirationRequired(),
	)
	if err != nil {
		return nil, err
	}
	if parsed.Header["typ"] != "at+jwt" {
		return nil, errors.New("not an access token")
	}
	return claims, nil
}

// To here.

func main() {
	issuer, audience := os.Args[1], os.Args[2]
	keys, err := keyfunc.NewDefault([]string{issuer + "/.well-known/jwks.json"})
	if err != nil {
		log.Fatal(err)
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if claims, err := verify(lines.Text(), keys, issuer, audience); err != nil {
			fmt.Println("refused:", strings.ReplaceAll(err.Error(), "\n", ": "))
		} else {
			fmt.Println("accepted:", claims["sub"])
		}
	}
}
