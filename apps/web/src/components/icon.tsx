import { paths } from './lucide.ts'

export type IconName = keyof typeof paths

interface Size {
  /** px */
  readonly size?: number
}

/** A small icon with or without text; a button with only an icon needs a label. */
export const Icon = ({ name, ...size }: Size & { readonly name: IconName }) => <Glyph path={paths[name]} {...size} />

/** An icon that is not part of the first load. */
export const Glyph = ({ path, size = 16 }: Size & { readonly path: string }) => (
  <svg className="glyph" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
    <path d={path} />
  </svg>
)
