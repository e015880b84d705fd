import { element } from '../../components/element.ts'
import { faultOf } from '../../data/fault.ts'
import { messages } from '../../messages/messages.ts'
import './sign-in.css'

const { titles, leads, reload } = messages.shell.fault

/** Says in plain words that the script of the board did not load, and offers to reload the page. */
export function showStartFault(root: HTMLElement, error: unknown): void {
  const kind = faultOf(error) === undefined ? 'failed' : 'unreachable'
  const button = element('button', {
    type: 'button',
    className: 'button primary',
    textContent: reload,
    on: { click: () => location.reload() },
  })
  const says = [element('h1', {}, titles[kind]), element('p', {}, leads[kind]), element('div', {}, button)]
  const notice = element('div', { className: 'sign-in-form stack', attributes: { role: 'alert' } }, ...says)
  root.replaceChildren(element('main', { className: 'sign-in' }, notice))
}
