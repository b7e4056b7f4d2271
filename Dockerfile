# The service as an image: docker build --tag lapidary-service .
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
# npm ci takes a lock file only with the manifests of all workspaces.
COPY packages/lapidary/package.json packages/lapidary/
COPY packages/testing/package.json packages/testing/
COPY packages/cli/package.json packages/cli/
COPY packages/llhttp/package.json packages/llhttp/
COPY packages/create-lapidary/package.json packages/create-lapidary/
COPY packages/docs-page/package.json packages/docs-page/
COPY packages/openapi/package.json packages/openapi/
COPY packages/tanstack-query/package.json packages/tanstack-query/
COPY packages/ts-rest/package.json packages/ts-rest/
COPY service/package.json service/

FROM packages AS build
RUN npm ci --omit=dev --no-audit --no-fund
COPY tsconfig.base.json ./
COPY packages/lapidary/tsconfig.json packages/lapidary/
COPY packages/lapidary/src packages/lapidary/src
COPY packages/llhttp/tsconfig.json packages/llhttp/
COPY packages/llhttp/src packages/llhttp/src
COPY packages/docs-page/tsconfig.json packages/docs-page/
COPY packages/docs-page/assets packages/docs-page/assets
COPY packages/docs-page/src packages/docs-page/src
COPY service/tsconfig.json service/
COPY service/src service/src
COPY scripts/pages.mjs scripts/
RUN npx tsc --build service \
  && node scripts/pages.mjs

# What the service needs at run time, without the tools that built it.
FROM packages AS running
RUN npm ci --omit=dev --workspace=service --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="lapidary-service" \
  org.opencontainers.image.description="The example web service, described and served with Lapidary." \
  org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production \
  HOST=0.0.0.0
WORKDIR /app
# Without a DATABASE_URL the service stores everything in data/service.db.
RUN install --directory --owner=node --group=node --mode=700 data
COPY --from=build /app/package.json ./
COPY --from=running /app/node_modules node_modules
COPY --from=build /app/packages/lapidary/package.json packages/lapidary/
COPY --from=build /app/packages/lapidary/dist packages/lapidary/dist
COPY --from=build /app/packages/llhttp/package.json packages/llhttp/
COPY --from=build /app/packages/llhttp/dist packages/llhttp/dist
COPY --from=build /app/packages/docs-page/package.json packages/docs-page/
COPY --from=build /app/packages/docs-page/assets packages/docs-page/assets
COPY --from=build /app/packages/docs-page/dist packages/docs-page/dist
COPY --from=build /app/service/package.json service/
COPY --from=build /app/service/dist service/dist
COPY service/migrations service/migrations
USER node
VOLUME ["/app/data"]
# main, pagination, docs
EXPOSE 8081 1442 8082
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 8081}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Without a shell in between, signals reach the service.
CMD ["node", "service/dist/main.js"]
