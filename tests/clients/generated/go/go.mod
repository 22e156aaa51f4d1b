module example.com/use-client

go 1.18

require example.com/keywright v0.0.0

replace example.com/keywright => ./keywright
