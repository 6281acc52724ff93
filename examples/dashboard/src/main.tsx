import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Provider } from 'urql'
import { App } from './app.tsx'
import { client } from './graphql/client.ts'
import { startLive } from './graphql/live.ts'
import './tokens.css'
import './parts.css'
import './screens.css'

const root = document.getElementById('root')
if (root) {
  startLive()
  createRoot(root).render(
    <StrictMode>
      <Provider value={client}>
        <App />
      </Provider>
    </StrictMode>,
  )
}
