// Prints, one JSON line each, what an application sees through the real client.
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const [url, key, token] = process.argv.slice(2)
const { createClient } = createRequire(`${process.cwd()}/web/package.json`)('@supabase/supabase-js')
const say = (what, value) => console.log(JSON.stringify([what, value ?? null]))

const client = createClient(url, key, {
  accessToken: token ? async () => token : undefined,
  realtime: { heartbeatIntervalMs: 300, heartbeatCallback: (status) => say('heartbeat', status) },
})
const channel = client.channel('signed-waivers-changes', { config: { broadcast: { self: true, ack: true } } })
channel
  .on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'signed_waivers' }, (p) => say('change', p))
  .on('system', {}, (payload) => say('system', payload))
  .on('broadcast', { event: 'greeting' }, ({ payload }) => say('broadcast', payload))
// A client that subscribes before it knows its user's token joins as anon, and says nothing later.
await client.realtime.setAuth()
say('state', channel.state)
channel.subscribe((status, error) => say(status, error?.message ?? channel.state))
say('state', channel.state)

const orders = {
  send: async () => say('sent', await channel.send({ type: 'broadcast', event: 'greeting', payload: { text: 'hello' } })),
  leave: async () => {
    say('left', await client.removeChannel(channel))
    say('state', channel.state)
    process.exit(0)
  },
}
createInterface({ input: process.stdin })
  .on('line', (order) => orders[order]())
  .on('close', () => process.exit(0))
