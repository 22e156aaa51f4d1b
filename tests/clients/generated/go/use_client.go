// Uses the client that openapi-generator makes for Go, and prints what it got as JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"example.com/keywright"
)

type refusal struct {
	Status int    `json:"status"`
	Code   string `json:"code"`
	Path   string `json:"path"`
}

type result struct {
	User       string     `json:"user"`
	Listed     []string   `json:"listed"`
	Agent      string     `json:"agent"`
	HasJwks    bool       `json:"has_jwks"`
	Key        string     `json:"key"`
	LastUsedAt *time.Time `json:"last_used_at"`
	ExpiresAt  int64      `json:"expires_at"`
	Refusal    refusal    `json:"refusal"`
}

func main() {
	if err := run(context.Background()); err != nil {
		log.Fatal(describe(err))
	}
}

func run(ctx context.Context) error {
	config := keywright.NewConfiguration()
	config.Servers = keywright.ServerConfigurations{{URL: os.Getenv("KEYWRIGHT_URL")}}
	client := keywright.NewAPIClient(config)
	login := keywright.NewAuthLoginRequest(os.Getenv("KEYWRIGHT_IDENTIFIER"), os.Getenv("KEYWRIGHT_SECRET"))
	tokens, _, err := client.AuthAPI.AuthLogin(ctx).AuthLoginRequest(*login).Execute()
	if err != nil {
		return err
	}
	ctx = context.WithValue(ctx, keywright.ContextAccessToken, tokens.AccessToken)
	wanted := keywright.NewUsersCreateRequest(os.Getenv("KEYWRIGHT_PERSON"), os.Getenv("KEYWRIGHT_PASSWORD"))
	user, _, err := client.UsersAPI.UsersCreate(ctx).UsersCreateRequest(*wanted).Execute()
	if err != nil {
		return err
	}
	agent, _, err := client.AgentsAPI.AgentsCreate(ctx).
		AgentsCreateRequest(*keywright.NewAgentsCreateRequest("generated")).Execute()
	if err != nil {
		return err
	}
	key, _, err := client.ApikeysAPI.ApikeysCreate(ctx).
		ApikeysCreateRequest(*keywright.NewApikeysCreateRequest(agent.Id, "generated")).Execute()
	if err != nil {
		return err
	}
	listed, err := listIDs(ctx, client)
	if err != nil {
		return err
	}
	refused, err := refuse(ctx, client)
	if err != nil {
		return err
	}
	_, hasJwks := agent.GetJwksOk()
	return json.NewEncoder(os.Stdout).Encode(result{
		User:       user.Id,
		Listed:     listed,
		Agent:      agent.Id,
		HasJwks:    hasJwks && agent.Jwks.IsSet() && agent.Jwks.Get() != nil,
		Key:        key.GetKey(),
		LastUsedAt: key.LastUsedAt.Get(),
		ExpiresAt:  key.ExpiresAt.Unix(),
		Refusal:    *refused,
	})
}

func listIDs(ctx context.Context, client *keywright.APIClient) ([]string, error) {
	ids := []string{}
	request := client.UsersAPI.UsersList(ctx).Limit(1)
	for {
		page, _, err := request.Execute()
		if err != nil {
			return nil, err
		}
		for _, user := range page.Items {
			ids = append(ids, user.Id)
		}
		if page.Meta.NextCursor == nil {
			return ids, nil
		}
		request = request.Cursor(*page.Meta.NextCursor)
	}
}

func refuse(ctx context.Context, client *keywright.APIClient) (*refusal, error) {
	wanted := keywright.NewUsersCreateRequest("nobody", "long enough 1")
	_, response, err := client.UsersAPI.UsersCreate(ctx).UsersCreateRequest(*wanted).Execute()
	var failure *keywright.GenericOpenAPIError
	if !errors.As(err, &failure) {
		return nil, fmt.Errorf("a wrong identifier was answered with %w", err)
	}
	told, isError := failure.Model().(keywright.Error)
	if !isError || len(told.Errors) == 0 {
		return nil, fmt.Errorf("this is no typed error: %s", failure.Body())
	}
	return &refusal{Status: response.StatusCode, Code: told.Code, Path: told.Errors[0].Path}, nil
}

func describe(err error) string {
	var failure *keywright.GenericOpenAPIError
	if errors.As(err, &failure) {
		return err.Error() + " " + string(failure.Body())
	}
	return err.Error()
}
