import { paths } from './lucide.ts'

export type IconName = keyof typeof paths

/** A small icon with or without text; where it is alone, its button needs a label. */
export const Icon = ({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) => (
  <svg className="glyph" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
    <path d={paths[name]} />
  </svg>
)
