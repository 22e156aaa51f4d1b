package com.example.site;

import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.annotation.RegisteredOAuth2AuthorizedClient;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class Site {
  public static void main(String[] args) {
    SpringApplication.run(Site.class, args);
  }

  @GetMapping("/")
  Map<String, String> home(
      @AuthenticationPrincipal OidcUser user,
      // With an access token that is good for a while: it is refreshed where needed.
      @RegisteredOAuth2AuthorizedClient("keywright") OAuth2AuthorizedClient client) {
    return Map.of(
        "sub", user.getSubject(),
        "name", user.getFullName(),
        "email", user.getEmail(),
        "token", client.getAccessToken().getTokenValue());
  }
}
