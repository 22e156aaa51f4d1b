// A site whose users sign in with goth, the library of Gitea and Forgejo.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"

	"github.com/gorilla/sessions"
	"github.com/markbates/goth"
	"github.com/markbates/goth/gothic"
	"github.com/markbates/goth/providers/openidConnect"
)

func main() {
	origin, listen := os.Getenv("ORIGIN"), os.Getenv("LISTEN")
	store := sessions.NewCookieStore([]byte("only for a test"))
	store.Options.Secure = false
	gothic.Store = store
	gothic.GetProviderName = func(*http.Request) (string, error) { return "openid-connect", nil }
	provider, err := openidConnect.New(
		os.Getenv("CLIENT_ID"),
		os.Getenv("CLIENT_SECRET"),
		origin+"/callback",
		os.Getenv("ISSUER")+"/.well-known/openid-configuration",
		"profile", "email",
	)
	if err != nil {
		log.Fatal(err)
	}
	goth.UseProviders(provider)
	http.HandleFunc("/", gothic.BeginAuthHandler)
	http.HandleFunc("/callback", func(response http.ResponseWriter, request *http.Request) {
		user, err := gothic.CompleteUserAuth(response, request)
		if err != nil {
			http.Error(response, err.Error(), http.StatusUnauthorized)
			return
		}
		shown := map[string]string{"sub": user.UserID, "name": user.Name, "email": user.Email}
		_ = json.NewEncoder(response).Encode(shown)
	})
	log.Fatal(http.ListenAndServe(listen, nil))
}
