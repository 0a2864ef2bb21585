import knotStyles from '#client/ui/knot.module.css'

/** A knot of the thread at the edge of a row of the summary. */
export function ThreadKnot() {
  return (
    <span data-progress="done" aria-hidden="true">
      <i className={knotStyles.knot} />
    </span>
  )
}
