// Types every operation from the schema that the gateway prints, and writes the manifest of trusted documents. The command line of GraphQL
// Code Generator would do the same, but with its loaders it is 70 MB.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { addTypenameSelectionDocumentTransform, preset } from '@graphql-codegen/client-preset'
import { codegen } from '@graphql-codegen/core'
import { buildASTSchema, parse, Source } from 'graphql'

const OUTPUT = 'src/gql/'

const read = (path) => readFileSync(path, 'utf8')

const schema = parse(read('../../src/graphql/schema.graphql'))
const documents = readdirSync('src', { recursive: true })
  .filter((name) => name.endsWith('.graphql'))
  .sort()
  .map((name) => {
    const rawSDL = read(`src/${name}`)
    return { rawSDL, document: parse(new Source(rawSDL, name)) }
  })

const files = await preset.buildGeneratesSection({
  baseOutputDir: OUTPUT,
  schema,
  schemaAst: buildASTSchema(schema),
  documents,
  // The cache adds __typename to what it asks for, so the manifest must have it too.
  documentTransforms: [{ transformObject: addTypenameSelectionDocumentTransform, config: {} }],
  presetConfig: { fragmentMasking: false, persistedDocuments: { hashAlgorithm: 'sha256' } },
  plugins: [],
  pluginMap: {},
  config: {
    documentMode: 'string',
    importExtension: '.ts',
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
})
mkdirSync(OUTPUT, { recursive: true })
// The manifest is complete once the documents are printed.
await Promise.all(files.map(async (file) => writeFileSync(file.filename, await codegen(file))))
