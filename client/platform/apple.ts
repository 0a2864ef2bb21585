/** iPhone and iPad, whose browsers are all Safari inside. */
export function isAppleMobile(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  return /iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)
}

/** There, not in the app on the home screen. */
export function isAppleBrowserTab(): boolean {
  return isAppleMobile() && (navigator as Navigator & { standalone?: boolean }).standalone !== true
}
