import type { CodegenConfig } from '@graphql-codegen/cli'

// Generates typed operations for the tests from the printed schema, as a client's build would.
const config: CodegenConfig = {
  schema: 'src/graphql/schema.graphql',
  documents: ['test/**/*.ts', '!test/gql/**'],
  ignoreNoDocuments: true,
  importExtension: '.ts',
  generates: {
    'test/gql/': {
      preset: 'client',
      // Writes the manifest of trusted documents, in the format that TRUSTED_DOCUMENTS expects.
      presetConfig: { fragmentMasking: false, persistedDocuments: { hashAlgorithm: 'sha256' } },
      config: {
        documentMode: 'string',
        useTypeImports: true,
        enumsAsTypes: true,
        scalars: {
          Base64URL: 'string',
          Date: 'string',
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
