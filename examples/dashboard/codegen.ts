import type { CodegenConfig } from '@graphql-codegen/cli'
import { addTypenameSelectionDocumentTransform } from '@graphql-codegen/client-preset'

// Types every operation from the schema that the gateway prints, and writes the manifest of trusted documents.
const config: CodegenConfig = {
  schema: '../../src/graphql/schema.graphql',
  documents: 'src/**/*.graphql',
  importExtension: '.ts',
  generates: {
    'src/gql/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false, persistedDocuments: { hashAlgorithm: 'sha256' } },
      // The cache adds __typename to what it asks for, so the manifest must have it too.
      documentTransforms: [addTypenameSelectionDocumentTransform],
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
