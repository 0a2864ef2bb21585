# Two images: `gateway` (production) and `mock-partner` (the simulator of the external services; never deploy it); `dev` is
# for developers alone.
# The images contain Node 26, so install scripts, which only fetch it and PostgreSQL for tests, are disabled.
# They run with a read-only file system: only /data and /tmp are written. A release pins the tags below (CONTRIBUTING.md).

FROM node:26-slim AS base
WORKDIR /app

FROM base AS all-dependencies
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --ignore-scripts

FROM base AS gateway-dependencies
COPY package.json package-lock.json .npmrc ./
# Only the simulator loads the optional packages.
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM base AS mock-partner-dependencies
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
# npm goes on without an optional package that it cannot fetch.
RUN node -e "for (const name in require('./package.json').optionalDependencies) require('fs').statSync('node_modules/' + name)"

FROM all-dependencies AS client
COPY tsconfig.json vite.config.ts ./
COPY scripts/lib scripts/lib
COPY shared shared
COPY client client
RUN NODE_ENV=production node scripts/lib/client.mjs dist/client

# For developers: the sources, which `docker compose watch dev` keeps up to date.
FROM base AS dev
RUN mkdir /data && chown node:node /data /app
USER node
COPY --chown=node:node package.json package-lock.json .npmrc ./
# With install scripts: scripts/dev.mjs runs on the Node that they fetch, as outside of a container.
RUN npm ci --include=dev
COPY --chown=node:node tsconfig.json vite.config.ts ./
COPY --chown=node:node scripts scripts
COPY --chown=node:node shared shared
COPY --chown=node:node pdf pdf
COPY --chown=node:node client client
COPY --chown=node:node server server
COPY --chown=node:node mock-partner mock-partner
ENV HOST=0.0.0.0 DATA_DIR=/data
EXPOSE 5173 4000
CMD ["node", "scripts/dev.mjs"]

FROM base AS gateway
# npm, which operators use for the tools, writes no log.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_ARENA_MAX=2 NPM_CONFIG_LOGS_MAX=0 NPM_CONFIG_UPDATE_NOTIFIER=false
RUN mkdir /data && chown node:node /data
COPY --from=gateway-dependencies /app/node_modules node_modules
COPY package.json ./
COPY shared shared
COPY pdf pdf
COPY server server
# Operator tools: docker compose exec gateway npm run ops -- unlock <phone>
COPY scripts/ops.ts scripts/
COPY scripts/lib/repo.mjs scripts/lib/tool.ts scripts/lib/
COPY scripts/ops scripts/ops
COPY --from=client /app/dist/client dist/client
# Named by the log when it starts.
ARG BUILD_COMMIT=
ENV BUILD_COMMIT=$BUILD_COMMIT
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --start-interval=1s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--heap-growing-percent=50", "--max-semi-space-size=16", "--use-largepages=silent", "server/main.ts"]

FROM base AS mock-partner
ENV NODE_ENV=production HOST=0.0.0.0 MOCK_PARTNER_PORT=4000 DATA_DIR=/data MALLOC_ARENA_MAX=2
RUN mkdir /data && chown node:node /data
COPY --from=mock-partner-dependencies /app/node_modules node_modules
COPY package.json ./
COPY shared shared
COPY pdf pdf
COPY mock-partner mock-partner
USER node
VOLUME /data
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --start-interval=1s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.MOCK_PARTNER_PORT}/control/counters`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--heap-growing-percent=50", "--max-semi-space-size=16", "--use-largepages=silent", "mock-partner/main.ts"]
