import { useEffect } from 'react'
import { type Photo, photoOf } from '#client/entities/claim/photo.ts'
import { useConfig } from '#client/entities/config/use-config.ts'
import { store, useStored } from '#client/platform/browser-storage.ts'
import { logFailure } from '#client/platform/log.ts'
import { waits } from '#client/platform/waits.ts'
import { photoTries, shownPart } from './bag-photo.rules.ts'

/** True when this installation takes a picture of each bag; without an answer of the server, as it said last. */
export function useTakesPhotos(): boolean {
  const config = useConfig()
  const known = useStored('takesPhotos')
  useEffect(() => {
    if (config !== undefined) store('takesPhotos', config.handoverPhoto === true ? 'on' : 'off')
  }, [config])
  return config === undefined ? known === 'on' : config.handoverPhoto === true
}

/** The frame that the view shows at this moment. Undefined without a frame, or when it comes too late: a confirmation does not wait for it. */
export async function photoOfView(view: HTMLVideoElement | null): Promise<Photo | undefined> {
  try {
    const frame = drawnFrame(view)
    return frame && (await inTime(photoOf(frame, photoTries)))
  } catch (error) {
    logFailure('picture', error)
    return undefined
  }
}

function drawnFrame(view: HTMLVideoElement | null): HTMLCanvasElement | undefined {
  if (view === null || view.videoWidth === 0) return undefined
  const { x, y, width, height } = shownPart(
    { width: view.videoWidth, height: view.videoHeight },
    { width: view.clientWidth, height: view.clientHeight },
  )
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  canvas.getContext('2d')?.drawImage(view, x, y, width, height, 0, 0, width, height)
  return canvas
}

async function inTime<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), waits.bagPhoto)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
