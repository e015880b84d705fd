export interface MarkdownProps {
  readonly text: string
  /** Turns a box of its task lists, by its place among them; without it they cannot be ticked. Fails where it was refused. */
  readonly onTick?: ((place: number) => Promise<void>) | undefined
}
