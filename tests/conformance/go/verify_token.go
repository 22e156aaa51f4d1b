// Verifies access tokens as any Go service would: go-jose, the published key set, nothing else.
//
// Reads {"key_set", "issuer", "audience", "tokens"} as JSON on standard input, and writes for each token its
// claims, or the error that refuses it.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

type question struct {
	KeySet   string   `json:"key_set"`
	Issuer   string   `json:"issuer"`
	Audience string   `json:"audience"`
	Tokens   []string `json:"tokens"`
}

func main() {
	var asked question
	must(json.NewDecoder(os.Stdin).Decode(&asked))
	answer, err := http.Get(asked.KeySet)
	must(err)
	defer answer.Body.Close()
	var keys jose.JSONWebKeySet
	must(json.NewDecoder(answer.Body).Decode(&keys))

	outcomes := []any{}
	for _, token := range asked.Tokens {
		claims, err := verify(token, &keys, asked)
		if err != nil {
			outcomes = append(outcomes, err.Error())
		} else {
			outcomes = append(outcomes, claims)
		}
	}
	must(json.NewEncoder(os.Stdout).Encode(outcomes))
}

func verify(token string, keys *jose.JSONWebKeySet, asked question) (map[string]any, error) {
	parsed, err := jwt.ParseSigned(token, []jose.SignatureAlgorithm{jose.EdDSA})
	if err != nil {
		return nil, err
	}
	registered, all := jwt.Claims{}, map[string]any{}
	if err := parsed.Claims(keys, &registered, &all); err != nil {
		return nil, err
	}
	expected := jwt.Expected{
		Issuer:      asked.Issuer,
		AnyAudience: jwt.Audience{asked.Audience},
		Time:        time.Now(),
	}
	return all, registered.Validate(expected)
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
