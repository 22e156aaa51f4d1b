# The service with nothing but what it needs to run. Keeps its data in PostgreSQL (KEYWRIGHT_DATABASE_URL) or, without
# one, in the volume /data. The rest of the file system may be read-only.
FROM node:26-bookworm-slim AS build
WORKDIR /source
COPY . .
RUN node tools/setup.mjs && node tools/docs.ts --build && node tools/package/main.mjs --image /image

FROM node:26-bookworm-slim
COPY --from=build /image /app
RUN ln -s /app/dist/keywright.mjs /usr/local/bin/keywright \
  && install --directory --owner=node --group=node --mode=0700 /data
USER node
ENV NODE_ENV=production KEYWRIGHT_HOST=0.0.0.0 KEYWRIGHT_PORT=8080 KEYWRIGHT_DATA_DIR=/data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "/app/deploy/health.mjs"]
CMD ["node", "--heap-growing-percent=50", "--min-semi-space-size=8", "/app/dist/start.mjs"]
