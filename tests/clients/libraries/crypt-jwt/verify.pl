# perl verify.pl <issuer> <audience> reads tokens, one a line, and says of each whether it is good.

use v5.30;
use warnings;
use Crypt::JWT qw(decode_jwt);
use HTTP::Tiny;
use JSON::PP qw(decode_json);

my ($issuer, $audience) = @ARGV;

# In docs/guide/libraries.md:
# Fetch it again every five minutes, and when a token names an unknown key.
my $answer = HTTP::Tiny->new->get("$issuer/.well-known/jwks.json");
die "no key set: $answer->{status}" unless $answer->{success};
my $keys = decode_json($answer->{content});

sub verify {
    my ($header, $claims) = decode_jwt(
        token         => shift,
        kid_keys      => $keys,
        accepted_alg  => 'EdDSA',
        verify_iss    => $issuer,
        verify_aud    => $audience,
        verify_exp    => 1,
        decode_header => 1,
    );
    die "not an access token\n" unless ($header->{typ} // '') eq 'at+jwt';
    return $claims;
}
# To here.

while (my $token = <STDIN>) {
    chomp $token;
    my $claims = eval { verify($token) };
    say $claims ? "accepted: $claims->{sub}" : 'refused: ' . ($@ =~ s/\n/ /gr);
}
