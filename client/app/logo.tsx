/** The bag of favicon.svg. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect className="logo-ground" width="32" height="32" rx="8" />
      <path className="logo-handle" d="M12 11V9.5A2.5 2.5 0 0 1 14.5 7h3A2.5 2.5 0 0 1 20 9.5V11" />
      <rect className="logo-bag" x="7" y="11" width="18" height="12.5" rx="2.5" />
      <path className="logo-straps" d="M12.5 15v4.5M19.5 15v4.5" />
      <path className="logo-wheels" d="M11.5 24v2M20.5 24v2" />
    </svg>
  )
}
