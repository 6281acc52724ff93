// Chromium over its DevTools protocol, with a virtual authenticator in each window.
import { existsSync } from 'node:fs'
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core'

/** The one without windows needs a third of the CPU time. */
const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

const executablePath = process.env['CHROMIUM'] ?? PROGRAMS.find((path) => existsSync(path)) ?? ''

export const hasBrowser = existsSync(executablePath)

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts with a temporary profile. */
export const startBrowser = (): Promise<Browser> => chromium.launch({ executablePath, args: FLAGS })

export interface Device {
  readonly page: Page
  readonly protocol: CDPSession
  readonly authenticatorId: string
}

/** A window with a platform authenticator that verifies the user, or only detects presence. */
export const openDevice = async (browser: Browser, url: string, { verifiesUser = true } = {}): Promise<Device> => {
  const page = await browser.newPage()
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('WebAuthn.enable')
  const { authenticatorId } = await protocol.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: verifiesUser,
      isUserVerified: verifiesUser,
      automaticPresenceSimulation: true,
    },
  })
  await page.goto(url)
  return { page, protocol, authenticatorId }
}
