// Routes of GraphiQL's page and files. They exist only where it is enabled.
import { config } from '#core/config.ts'
import { graphiqlFileAt } from '#graphql/graphiql/graphiql.ts'
import { answerFile } from '#rest/files.ts'
import { router } from '#rest/router.ts'

export const graphiqlRoutes = router()

if (config.graphiql)
  for (const path of ['/graphql', '/graphql/', '/graphql/:hash/:name'])
    graphiqlRoutes.get(path, async (context, next) => {
      const file = await graphiqlFileAt(context.req.path)
      return file ? answerFile(context, file) : next()
    })
