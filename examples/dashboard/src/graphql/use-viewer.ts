// The viewer, as every screen's own query returns it.
import { useQuery } from 'urql'
import { ShellOnlyDocument } from '../gql/graphql.ts'
import { documentOf } from './client.ts'

const query = documentOf(ShellOnlyDocument)

export const useShell = () => useQuery({ query, variables: {}, requestPolicy: 'cache-only' })[0].data

export const useViewer = () => useShell()?.viewer
