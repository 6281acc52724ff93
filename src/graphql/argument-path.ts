import { type ASTNode, type DocumentNode, visit } from 'graphql'

/** The path of arguments and input fields that leads to a node of the document, or empty if the node is not inside an argument. */
export const argumentPath = (document: DocumentNode, isTarget: (node: ASTNode) => boolean): string => {
  let path: string[] = []
  visit(document, {
    enter(node, _key, parent, _path, ancestors) {
      if (path.length > 0 || !isTarget(node)) return
      path = [...ancestors, parent ?? [], node].flatMap((ancestor) =>
        'kind' in ancestor && (ancestor.kind === 'Argument' || ancestor.kind === 'ObjectField')
          ? [ancestor.name.value]
          : [],
      )
    },
  })
  return path.join('.')
}
