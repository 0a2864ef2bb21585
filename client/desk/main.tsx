import './texts.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router-dom'
import '#client/ui/base.css'
import { loadTexts } from '#client/platform/i18n.ts'
import { dropLanguageFromAddress } from '#client/platform/language-address.ts'
import { createQueryClient } from '#client/platform/query-client.ts'
import { deskPath } from '#shared/platform/pages.ts'
import { Desk, loadEarly } from './desk.tsx'
import { takeOutcome } from './outcome.ts'

function App() {
  const [queryClient] = useState(createQueryClient)
  const [outcome] = useState(takeOutcome)
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <BrowserRouter basename={deskPath}>
          <Desk outcome={outcome} />
        </BrowserRouter>
      </QueryClientProvider>
    </StrictMode>
  )
}

dropLanguageFromAddress()
loadEarly()
const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element #root')
void loadTexts('desk').then(() => createRoot(root).render(<App />))
