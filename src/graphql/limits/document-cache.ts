import type { DocumentNode } from 'graphql'

/** Parsed documents, keyed by their text. */
export interface DocumentCache {
  get(text: string): DocumentNode | undefined
  set(text: string, document: DocumentNode): void
}

// Total length of the texts. The parsed and compiled documents take about a hundred times as much memory.
const MAX_CHARACTERS = 2 ** 19
const MAX_DOCUMENTS = 1_000
// One long document must not push out all others.
const MAX_LENGTH = 2 ** 15

/** A cache that evicts the least recently used documents. It is bounded by their number and total length. */
export const createDocumentCache = (): DocumentCache => {
  const documents = new Map<string, DocumentNode>()
  let characters = 0
  const remove = (text: string) => {
    if (documents.delete(text)) characters -= text.length
  }
  const add = (text: string, document: DocumentNode) => {
    documents.set(text, document)
    characters += text.length
  }
  return {
    get(text) {
      const document = documents.get(text)
      if (!document) return undefined
      remove(text)
      add(text, document)
      return document
    },
    set(text, document) {
      if (text.length > MAX_LENGTH) return
      remove(text)
      add(text, document)
      for (const oldest of documents.keys()) {
        if (characters <= MAX_CHARACTERS && documents.size <= MAX_DOCUMENTS) return
        remove(oldest)
      }
    },
  }
}
