// Names the enumerations of the contract, so that generated clients have one type for each and not one for each place.
import type { z } from 'zod'

export interface NamedEnum {
  readonly name: string
  readonly description: string
  readonly labels: readonly string[]
}

interface Document {
  readonly components?: { readonly schemas?: object }
}

/**
 * Makes a component of each enumeration that has the labels of exactly one of `enums`, in the same order. Throws if another component has its
 * name.
 */
export const nameEnums = <D extends Document>(document: D, enums: readonly NamedEnum[]): D => {
  const schemas: Record<string, z.core.JSONSchema.BaseSchema> = {}
  const named: D = JSON.parse(JSON.stringify(document), (_key, part) => {
    if (!Array.isArray(part?.enum)) return part
    const [found, another] = enums.filter(({ labels }) => labels.join() === part.enum.join())
    if (found === undefined || another !== undefined) return part
    const { name, description } = found
    const { type, enum: labels, ...beside } = part
    schemas[name] = { type, enum: labels, description }
    return { ...beside, $ref: `#/components/schemas/${name}` }
  })
  const others = named.components?.schemas ?? {}
  const taken = Object.keys(schemas).filter((name) => Object.hasOwn(others, name))
  if (taken.length > 0) throw new Error(`Components have the names of enums: ${taken.join(', ')}`)
  return { ...named, components: { ...named.components, schemas: { ...others, ...schemas } } }
}
