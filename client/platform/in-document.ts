import { createContext, useContext } from 'react'

/** True in what the build writes into documents (client/prerender.tsx): there no handler runs, and nothing is loaded. */
export const InDocument = createContext(false)

export const useInDocument = (): boolean => useContext(InDocument)
