/** Why there is no picture. `refused`: by the person or the browser's settings. `none`: no camera. `busy`: any other reason. */
export type CameraProblem = 'refused' | 'none' | 'busy'

export interface Camera {
  readonly stream: MediaStream
  readonly deviceId: string | undefined
  /** False when the camera has no light, or when the browser cannot switch it. */
  readonly hasTorch: boolean
  setTorch(isOn: boolean): Promise<void>
  /** False when another app or the system has taken the camera: the view then shows an earlier bag. */
  isLive(): boolean
  stop(): void
}

/** One of the device's cameras, to choose from: iOS switches lenses near a label, and laptops have several cameras. */
export interface CameraChoice {
  readonly deviceId: string
  readonly label: string
}

// TypeScript's DOM types lack these members.
interface PictureCapabilities extends MediaTrackCapabilities {
  readonly torch?: boolean
  readonly focusMode?: readonly string[]
}

/** @throws the DOMException of getUserMedia, which `cameraProblemOf` reads. */
export async function openCamera(deviceId?: string): Promise<Camera> {
  // The browser has no `mediaDevices` on pages without TLS.
  if (navigator.mediaDevices === undefined) throw new DOMException('no cameras here', 'NotFoundError')
  const device =
    deviceId === undefined ? { facingMode: { ideal: 'environment' } } : { deviceId: { exact: deviceId } }
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { ...device, width: { ideal: 1280 }, height: { ideal: 720 } },
  })
  const [track] = stream.getVideoTracks()
  const can = (track?.getCapabilities?.() ?? {}) as PictureCapabilities
  const apply = async (constraint: object) => {
    await track?.applyConstraints({ advanced: [constraint as MediaTrackConstraintSet] })
  }
  // As a constraint of getUserMedia, continuous focus would exclude cameras that do not have it.
  if (can.focusMode?.includes('continuous')) await apply({ focusMode: 'continuous' }).catch(() => undefined)
  return {
    stream,
    deviceId: track?.getSettings().deviceId,
    hasTorch: can.torch === true,
    setTorch: (isOn) => apply({ torch: isOn }),
    isLive: () => track !== undefined && track.readyState !== 'ended' && !track.muted,
    stop: () => {
      for (const each of stream.getTracks()) each.stop()
    },
  }
}

export function cameraProblemOf(error: unknown): CameraProblem {
  const name = error instanceof DOMException ? error.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused'
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'none' : 'busy'
}

/** Browsers give the labels only after the person has allowed the camera. */
export async function listCameras(): Promise<readonly CameraChoice[]> {
  const devices = await navigator.mediaDevices.enumerateDevices()
  return devices
    .filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '')
    .map(({ deviceId, label }) => ({ deviceId, label }))
}
