import { type ChangeEvent, useState } from 'react'
import type { Photo } from './photo.ts'

/** A field for files whose picture is drawn anew on this page. */
export function usePhoto(onTaken: (photo: Photo) => void) {
  const [isDrawing, setIsDrawing] = useState(false)
  const [isRefused, setIsRefused] = useState(false)

  async function take(file: Blob | undefined): Promise<void> {
    if (file === undefined) return
    setIsRefused(false)
    setIsDrawing(true)
    try {
      // The code that draws a picture is loaded with the first picture.
      const { takePhoto } = await import('./photo.ts')
      const photo = await takePhoto(file)
      setIsRefused(photo === undefined)
      if (photo !== undefined) onTaken(photo)
    } catch {
      setIsRefused(true)
    } finally {
      setIsDrawing(false)
    }
  }

  const field = {
    type: 'file',
    accept: 'image/*',
    onChange({ target }: ChangeEvent<HTMLInputElement>) {
      void take(target.files?.[0])
      // The same file may be chosen again.
      target.value = ''
    },
  } as const
  return { field, isDrawing, isRefused }
}
