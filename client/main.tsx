import './platform/trusted-types.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './ui/base.css'
import { Providers } from './app/providers.tsx'
import { reloadOnceAfterRelease } from './app/release.ts'

reloadOnceAfterRelease()

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element #root')
createRoot(root).render(
  <StrictMode>
    <Providers />
  </StrictMode>,
)
