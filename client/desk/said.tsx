import { Alert } from 'antd'
import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { createStore, useStore } from '#client/platform/store.ts'

const said = createStore<string | undefined>(undefined)

/** Says above the page what was done, until the person goes on. */
export const say = (text: string): void => said.set(text)

export function Said() {
  const text = useStore(said)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path ends what was said, and is not read
  useEffect(() => () => said.set(undefined), [pathname])
  return (
    <div role="status">
      {text === undefined ? null : (
        <Alert type="success" showIcon closable={{ onClose: () => said.set(undefined) }} title={text} />
      )}
    </div>
  )
}
