import './journey-picture.css'

/**
 * A bag on a dotted route from the tents of Mina to a city. Drawn left to right; mirrored by CSS in Arabic.
 */
export function JourneyPicture() {
  return (
    <svg className="journey-picture" viewBox="0 0 560 400" aria-hidden="true" focusable="false">
      <circle className="picture-sun" cx="196" cy="92" r="40" />
      <path
        className="picture-far"
        d="M0 300c60-52 128-66 196-34 58-60 128-78 196-26 60-40 118-34 168 12v88H0Z"
      />
      <path className="picture-ground" d="M0 330c92-26 188-30 282-14 96 16 190 16 278-8v92H0Z" />

      <g className="picture-tents">
        <path d="M14 334c22-12 34-36 40-62 6 26 18 50 40 62v34H14Z" />
        <path d="M140 326c18-10 28-30 33-52 5 22 15 42 33 52v28h-66Z" />
        <path d="M62 346c26-14 40-42 47-74 7 32 21 60 47 74v40H62Z" />
        <path className="picture-entrance" d="M96 386v-20c0-9 6-16 13-16s13 7 13 16v20Z" />
        <path d="M54 272v-12M173 274v-11M109 272v-14" />
      </g>

      <g className="picture-city">
        <path d="M388 362V252h40v110Z" />
        <path d="M428 362V196h48v166Z" />
        <path d="M476 362V232h34v130Z" />
        <path d="M510 362V276h36v86Z" />
        <path className="picture-minaret" d="M368 362V214l-4-6v-8h4v-22l6-14 6 14v22h4v8l-4 6v148Z" />
        <path
          className="picture-windows"
          d="M400 274h16M400 294h16M400 314h16M440 220h24M440 242h24M440 264h24M440 286h24M440 308h24M486 256h14M486 276h14M486 296h14M522 298h12M522 318h12"
        />
      </g>

      <path className="picture-route" d="M132 250C170 130 360 84 448 164" />
      <path className="picture-pin" d="M452 190s-22-20-22-40a22 22 0 0 1 44 0c0 20-22 40-22 40Z" />
      <circle className="picture-pin-eye" cx="452" cy="150" r="8" />

      <g className="picture-bag">
        <path className="picture-bag-handle" d="M254 232v-34a10 10 0 0 1 10-10h40a10 10 0 0 1 10 10v34" />
        <rect className="picture-bag-body" x="222" y="230" width="124" height="134" rx="18" />
        <path className="picture-bag-lines" d="M252 250v94M284 250v94M316 250v94" />
        <circle className="picture-bag-wheel" cx="250" cy="372" r="10" />
        <circle className="picture-bag-wheel" cx="318" cy="372" r="10" />
        <path className="picture-tag-string" d="M312 206c22 6 34 14 42 30" />
        <g className="picture-tag">
          <rect x="330" y="234" width="50" height="68" rx="7" />
          <path d="M340 272v20M345 272v20M351 272v20M355 272v20M361 272v20M366 272v20M370 272v20" />
          <circle cx="355" cy="246" r="4" />
        </g>
      </g>
    </svg>
  )
}
