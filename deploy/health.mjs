// Exits with 0 when the service of this container responds. Not /health: an unreachable database is not repaired by
// starting the container again.

const { status } = await fetch(`http://127.0.0.1:${process.env.KEYWRIGHT_PORT ?? 8080}/livez`);
process.exitCode = status === 200 ? 0 : 1;
