import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { graphqlFacts } from './build/graphql-facts.ts'

export default defineConfig({
  plugins: [react(), graphqlFacts()],
  resolve: {
    // Its main entry includes the handler for servers, and with it all of graphql-js.
    alias: { 'graphql-sse': fileURLToPath(new URL('node_modules/graphql-sse/lib/client.mjs', import.meta.url)) },
  },
  build: {
    // Older browsers lack light-dark() and container queries, which the style sheet needs.
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    modulePreload: { polyfill: false },
    // The content security policy allows no data in scripts and styles.
    assetsInlineLimit: 0,
    // The packages that every screen needs compress better in one file.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'packages', test: /node_modules.(react|react-dom|scheduler|urql|@urql|@0no-co|wonka|wouter)\W/ },
          ],
        },
      },
    },
  },
})
