import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useIsShown } from '#client/platform/document.ts'
import { photoOfView } from './bag-photo.ts'
import { openBarcodeReader } from './barcode-reader.ts'
import type { BarcodeReader } from './barcode-reader.types.ts'
import {
  type Camera,
  type CameraChoice,
  type CameraProblem,
  cameraProblemOf,
  listCameras,
  openCamera,
} from './camera.ts'
import { afterFrame, noReadings, type Reading, resumed, stripOf } from './readings.rules.ts'

/** `unreadable`: the camera has a picture, but the build's barcode reader could not be loaded. */
export type CameraState = 'starting' | 'on' | 'unreadable' | CameraProblem

/** Milliseconds between two frames. */
const frameEveryMs = 60

export type ScanCamera = ReturnType<typeof useCamera>

/**
 * The camera, from mounting to unmounting; stopped while the page is hidden. `isReading` false keeps the picture and
 * reads nothing.
 */
export function useCamera({
  isReading,
  onReading,
}: {
  readonly isReading: boolean
  readonly onReading: (reading: Reading) => void
}) {
  const video = useRef<HTMLVideoElement>(null)
  const [state, setState] = useState<CameraState>('starting')
  const [camera, setCamera] = useState<Camera | null>(null)
  const [cameras, setCameras] = useState<readonly CameraChoice[]>([])
  /** Setting a new object opens the camera again. */
  const [wanted, setWanted] = useState<{ readonly deviceId?: string }>({})
  const [isTorchOn, setIsTorchOn] = useState(false)
  const isShown = useIsShown()

  useEffect(() => {
    if (!isShown) return
    let isOver = false
    let opened: Camera | undefined
    setState('starting')
    setIsTorchOn(false)
    void open()

    async function open(): Promise<void> {
      try {
        const next = await openCamera(wanted.deviceId)
        if (isOver) return next.stop()
        opened = next
        setCamera(next)
        setState('on')
        setCameras(await listCameras())
      } catch (error) {
        if (!isOver) setState(cameraProblemOf(error))
      }
    }
    return () => {
      isOver = true
      opened?.stop()
      setCamera(null)
    }
  }, [isShown, wanted])

  useEffect(() => {
    if (video.current === null || camera === null) return
    video.current.srcObject = camera.stream
    // `play` is interrupted when the stream is replaced.
    video.current.play().catch(() => undefined)
  }, [camera])

  useReading({
    video,
    isReading: isReading && camera !== null,
    onReading,
    onFailed: () => setState('unreadable'),
  })

  const setTorch = async (isOn: boolean) => {
    await camera?.setTorch(isOn)
    setIsTorchOn(isOn)
  }

  return {
    video,
    state,
    hasPicture: state === 'on' || state === 'unreadable',
    cameras,
    deviceId: camera?.deviceId,
    choose: (deviceId: string) => setWanted({ deviceId }),
    torch: camera?.hasTorch ? { isOn: isTorchOn, set: setTorch } : null,
    retry: () => setWanted({ ...wanted }),
    /** The bag in view, as a picture; undefined when the camera gives none. */
    takePhoto: async () => (camera?.isLive() ? photoOfView(video.current) : undefined),
  }
}

interface ReadingOptions {
  readonly video: { readonly current: HTMLVideoElement | null }
  readonly isReading: boolean
  readonly onReading: (reading: Reading) => void
  readonly onFailed: () => void
}

/** Reads one frame after the other. */
function useReading({ video, isReading, onReading, onFailed }: ReadingOptions): void {
  const take = useEffectEvent(onReading)
  const fail = useEffectEvent(onFailed)
  const readings = useRef(noReadings)
  useEffect(() => {
    if (!isReading) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const canvas = document.createElement('canvas')
    readings.current = resumed(readings.current, performance.now())
    void run()

    async function run(): Promise<void> {
      try {
        const read = await sharedReader()
        await next(read)
      } catch {
        if (!isOver) fail()
      }
    }

    async function next(read: BarcodeReader): Promise<void> {
      if (isOver) return
      const picture = pictureOf(video.current, canvas)
      const texts = picture === undefined ? [] : await read(picture).catch(() => [])
      if (isOver) return
      const { readings: after, reading } = afterFrame(readings.current, texts, performance.now())
      readings.current = after
      if (reading !== undefined) take(reading)
      timer = setTimeout(() => void next(read), frameEveryMs)
    }
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isReading, video])
}

/** The strip of the current frame, on the canvas; `undefined` before the first frame. */
function pictureOf(video: HTMLVideoElement | null, canvas: HTMLCanvasElement): HTMLCanvasElement | undefined {
  if (video === null || video.videoWidth === 0) return undefined
  const { x, y, width, height } = stripOf({ width: video.videoWidth, height: video.videoHeight })
  canvas.width = width
  canvas.height = height
  canvas
    .getContext('2d', { willReadFrequently: true })
    ?.drawImage(video, x, y, width, height, 0, 0, width, height)
  return canvas
}

let opening: Promise<BarcodeReader> | undefined

/** One reader for the whole document. After a failed load the next start of the camera tries again. */
function sharedReader(): Promise<BarcodeReader> {
  opening ??= openBarcodeReader().catch((error: unknown) => {
    opening = undefined
    throw error
  })
  return opening
}
