import type { CodegenConfig } from '@graphql-codegen/cli'

// Typed operations of the tests, from the printed schema: what a client's own build would do.
const config: CodegenConfig = {
  schema: 'src/graphql/schema.graphql',
  documents: ['test/**/*.ts', '!test/gql/**'],
  ignoreNoDocuments: true,
  importExtension: '.ts',
  generates: {
    'test/gql/': {
      preset: 'client',
      // The manifest of the trusted documents: what TRUSTED_DOCUMENTS takes.
      presetConfig: { fragmentMasking: false, persistedDocuments: { hashAlgorithm: 'sha256' } },
      config: {
        documentMode: 'string',
        useTypeImports: true,
        enumsAsTypes: true,
        scalars: {
          Base64URL: 'string',
          DateTime: 'string',
          Decimal: 'string',
          Hex: 'string',
          Int64: 'number',
          JSON: 'unknown',
        },
      },
    },
  },
}

export default config
