import { createContext, useContext } from 'react'

/** True while the build renders documents (client/prerender.tsx): no handler runs there, and nothing is loaded. */
export const InDocument = createContext(false)

export const useInDocument = (): boolean => useContext(InDocument)
