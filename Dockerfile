# The gateway with production dependencies only, run by an unprivileged user.
FROM node:24-slim AS build
WORKDIR /gateway
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24-slim
ENV NODE_ENV=production
WORKDIR /gateway
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund && npm cache clean --force
COPY migrations migrations
COPY --from=build /gateway/dist dist
EXPOSE 4000
HEALTHCHECK --interval=5s --timeout=3s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT ?? 4000) + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# These options keep the memory of Node small. Young objects, nearly all of which are garbage, stay within 50 MB. Rows of requests in flight stay among
# them, rather than being allocated as old objects from the start. Old objects are collected each time they have grown by 40 %, and not only when they
# are several times what is alive. Both start with the size that they will need, which saves a seventh of a start. V8 optimizes JavaScript at one
# level, not at three, which saves 25 MB and costs a quarter more CPU in the first seconds. It does not optimize WebAssembly, which is Prisma's
# compiler: it compiles each kind of query once, and optimizing it would take 15 MB.
ENV NODE_ARGUMENTS="--min-semi-space-size=16 --max-semi-space-size=16 --initial-old-space-size=64 --heap-growing-percent=40 --no-allocation-site-pretenuring --no-maglev --no-sparkplug --wasm-tiering-budget=1000000000"
# Threads of V8 share one arena of malloc, instead of keeping one each.
ENV MALLOC_ARENA_MAX=1
# Compiling the gateway takes a fifth of a start, and 20 MB that are never returned. So the image has the compiled code, which only its user can read.
RUN mkdir dist/.compile-cache && chown node dist/.compile-cache
USER node
RUN DATABASE_URL=postgresql://none MASTER_KEY=$(head -c 32 /dev/urandom | base64) node $NODE_ARGUMENTS dist/main.js compile
# Node replaces the shell as process 1, so SIGTERM reaches it.
CMD ["sh", "-c", "exec node $NODE_ARGUMENTS dist/main.js"]
