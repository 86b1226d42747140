# The store service as a container: `docker build -t store-service .`, then see compose.yaml.
# Without settings, the data is in /data, on SQLite. Several instances need PostgreSQL.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /service
# The packages are installed first, because they change rarely: if the lockfile is the same, Docker uses the layer of
# the last build.
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build
# Removes the packages that only builds and tests need. The npm package `node` is one of them, because the image below has
# Node.
RUN npm prune --omit=dev --no-audit --no-fund
# Removes files that are never loaded: the compiler (a peer of @nestjs/graphql), TypeORM for browsers, the sources of
# SQLite and its driver for other systems, maps and type declarations. Licences stay.
RUN rm -rf node_modules/typescript node_modules/.bin node_modules/typeorm/browser node_modules/better-sqlite3/deps node_modules/better-sqlite3/src \
  && find node_modules/better-sqlite3/prebuilds -type f ! -name "linux-$(node -p process.arch).node" -delete \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM node:24.21.0-bookworm-slim
WORKDIR /service
COPY --from=build /service/package.json /service/openapi.yaml /service/schema.graphql ./
COPY --from=build /service/node_modules node_modules
COPY --from=build /service/dist dist
COPY --from=build /service/pages/dist pages/dist
COPY --from=build /service/documents documents
RUN mkdir /data && chown node:node /data
ENV HOST=0.0.0.0
ENV PORT=3000
ENV STORE_DATABASE_URL=sqlite:/data/store.sqlite
# All threads share one pool of memory of the C library. With a pool for each thread, the process grows slowly; see
# docs/speed.md.
ENV MALLOC_ARENA_MAX=1
# The files of the program belong to root, so an attacker inside the service cannot change them.
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is the first process, so that it receives SIGTERM. A small young generation of V8 saves memory; see docs/speed.md.
CMD ["node", "--max-semi-space-size=4", "dist/main.js"]
