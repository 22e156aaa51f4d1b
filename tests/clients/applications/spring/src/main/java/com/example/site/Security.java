package com.example.site;

import static org.springframework.security.config.Customizer.withDefaults;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.oauth2.client.oidc.web.logout.OidcClientInitiatedLogoutSuccessHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.web.SecurityFilterChain;

@Configuration
class Security {
  @Bean
  SecurityFilterChain chain(HttpSecurity http, ClientRegistrationRepository clients)
      throws Exception {
    var loggedOut = new OidcClientInitiatedLogoutSuccessHandler(clients);
    loggedOut.setPostLogoutRedirectUri("{baseUrl}/");
    return http.authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
        .oauth2Login(withDefaults())
        .oauth2Client(withDefaults())
        .logout(logout -> logout.logoutSuccessHandler(loggedOut))
        .oidcLogout(logout -> logout.backChannel(withDefaults()))
        .build();
  }
}
