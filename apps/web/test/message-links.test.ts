/** From a message to the reply to what it reports (people 5.5). */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { freePort } from '../../cli/test/support/free-port.ts'
import { MailSink, readable } from '../../cli/test/support/mail-sink.ts'
import { Person } from '../../cli/test/support/person.ts'
import { Scene } from '../../cli/test/support/scene.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

const codeIn = (raw: string): string => /\b[0-9]{8}\b/.exec(readable(raw.slice(raw.indexOf('\r\n\r\n'))))![0]

/** Shows a mail at an address, as a mail client in the browser does. */
async function shown(raw: string) {
  const page = /<!doctype html>.*<\/html>/s.exec(readable(raw))![0]
  const client = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page),
  )
  await new Promise<void>(listening => client.listen(0, '127.0.0.1', listening))
  const { port } = client.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, [Symbol.dispose]: () => client.close() }
}

describeInBrowser('a message', () => {
  let mail: MailSink
  const here = browsing(async () => {
    mail = await MailSink.start()
    const port = await freePort()
    return { port, publicUrl: `http://127.0.0.1:${port}`, smtpUrl: mail.url, mailFrom: 'board@example.com' }
  })

  test('of a question has it answered in two clicks: its link, and the button', async () => {
    const { world } = here()
    const owner = await Person.owner(world)
    const channel = await owner.ok('create_notification_channel', { type: 'email', email: 'ada@example.com' })
    const [asking] = await mail.takenBy('ada@example.com', 1)
    await owner.ok('confirm_notification_channel', { channel_id: channel.id, code: codeIn(asking!.raw) })
    const scene = await Scene.on(world)
    const asker = await world.agent()
    await scene.admit(asker)
    const card_id = await scene.card({ title: 'Asked by mail' })
    const question = await world.ok('ask_card_question', { card_id, question: 'Which colour?' }, { as: asker })
    const [, notification] = await mail.takenBy('ada@example.com', 2)

    const page = await here().open('/')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    let clicks = 0
    await page.exposeFunction('countClick', () => clicks++)
    await page.addInitScript("addEventListener('pointerdown', () => window.countClick(), true)")
    using client = await shown(notification!.raw)
    await page.goto(client.url)
    await page.getByRole('link', { name: 'Open' }).click()
    await page.getByText('Which colour?').waitFor()
    await page.waitForFunction("document.activeElement?.tagName === 'TEXTAREA'")
    await page.keyboard.type('Blue')
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await page.getByText('Nothing is left to do here.').waitFor()
    const { qa_items } = await world.ok('get_card', { card_id })
    expect(qa_items).toMatchObject([{ id: question.id, answer: 'Blue' }])
    expect(clicks).toBe(2)
  })
})
