// Reads tokens, one a line, and says of each whether it is good: verify <issuer> <audience>
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// In docs/guide/libraries.md:
func verify(token string, keys *jose.JSONWebKeySet, issuer, audience string) (*jwt.Claims, error) {
	parsed, err := jwt.ParseSigned(token, []jose.SignatureAlgorithm{jose.EdDSA})
	if err != nil {
		return nil, err
	}
	if parsed.Headers[0].ExtraHeaders[jose.HeaderType] != "at+jwt" {
		return nil, errors.New("not an access token")
	}
	var claims jwt.Claims
	if err := parsed.Claims(keys, &claims); err != nil {
		return nil, err
	}
	if claims.Expiry == nil {
		return nil, errors.New("no expiry")
	}
	return &claims, claims.Validate(jwt.Expected{
		Issuer:      issuer,
		AnyAudience: jwt.Audience{audience},
		Time:        time.Now(),
	})
}

// Fetch it again every five minutes, and when a token names an unknown key.
func fetchKeys(issuer string) (*jose.JSONWebKeySet, error) {
	answer, err := http.Get(issuer + "/.well-known/jwks.json")
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	var keys jose.JSONWebKeySet
	return &keys, json.NewDecoder(answer.Body).Decode(&keys)
}

// To here.

func main() {
	issuer, audience := os.Args[1], os.Args[2]
	keys, err := fetchKeys(issuer)
	if err != nil {
		log.Fatal(err)
	}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		if claims, err := verify(lines.Text(), keys, issuer, audience); err != nil {
			fmt.Println("refused:", err)
		} else {
			fmt.Println("accepted:", claims.Subject)
		}
	}
}
