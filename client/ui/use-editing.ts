import { useEffect, useRef, useState } from 'react'

/**
 * Whether something is being edited in place. The form that closes has the focus: it returns to the button that opened it.
 * `news` is to be announced.
 */
export function useEditing(onEditing?: (isEditing: boolean) => void, isOpen = false) {
  const [isEditing, setIsEditing] = useState(isOpen)
  const [news, setNews] = useState('')
  const opener = useRef<HTMLButtonElement>(null)
  const hasClosed = useRef(false)

  useEffect(() => {
    if (!isEditing && hasClosed.current) opener.current?.focus()
    hasClosed.current = false
  }, [isEditing])

  function edit(isStarted: boolean, announcement = ''): void {
    hasClosed.current = !isStarted
    setNews(announcement)
    setIsEditing(isStarted)
    onEditing?.(isStarted)
  }

  return { isEditing, news, opener, edit }
}
