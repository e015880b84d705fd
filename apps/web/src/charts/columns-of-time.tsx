import { Link } from 'wouter'

/** A point in time on an axis. */
export interface Point {
  readonly label: string
  /** The address of its records. */
  readonly address: string
}

interface TimeColumnsProps {
  readonly points: readonly (Point & { readonly says: string })[]
  readonly x: (place: number) => number
  readonly top: number
  readonly height: number
  /** The width of one column. */
  readonly slot: number
  readonly looked: number | undefined
  readonly onLook: (place: number | undefined) => void
}

/** The interactive columns of a chart over time, one for each point; arrow keys move between them. */
export const TimeColumns = ({ points, x, top, height, slot, looked, onLook }: TimeColumnsProps) =>
  points.map(({ label, address, says }, place) => (
    <Link
      key={label}
      href={address}
      aria-label={says}
      tabIndex={place === (looked ?? points.length - 1) ? 0 : -1}
      className={place === looked ? 'plot-column looked' : 'plot-column'}
      onPointerEnter={() => onLook(place)}
      onPointerLeave={() => onLook(undefined)}
      onFocus={() => onLook(place)}
      onBlur={() => onLook(undefined)}
    >
      <rect className="plot-hit over" x={x(place) - slot / 2} y={top} width={slot} height={height} />
      <line className="plot-line" x1={x(place)} x2={x(place)} y1={top} y2={top + height} />
    </Link>
  ))
