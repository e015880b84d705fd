/** Attributes of an element that have no property, by name. */
interface ElementExtras {
  readonly attributes?: Readonly<Record<string, string>>
  readonly on?: { readonly [Event in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Event]) => void }
}

type ElementProperties<Name extends keyof HTMLElementTagNameMap> = ElementExtras &
  Partial<Omit<HTMLElementTagNameMap[Name], 'attributes' | 'children' | 'style'>>

/** Makes an element, for the few pages that are drawn without the libraries of the board. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  { attributes = {}, on = {}, ...properties }: ElementProperties<Name>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const node = document.createElement(name)
  Object.assign(node, properties)
  for (const [attribute, value] of Object.entries(attributes)) node.setAttribute(attribute, value)
  for (const [event, listener] of Object.entries(on)) node.addEventListener(event, listener as EventListener)
  node.append(...children)
  return node
}
