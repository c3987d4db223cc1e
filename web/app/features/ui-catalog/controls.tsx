import { Building2, Send, UserRound } from "lucide-react";
import { Badge } from "~/ui/badge";
import { Button } from "~/ui/button";
import { Choice, ChoiceGroup } from "~/ui/choice";
import { DownloadButton } from "~/ui/download-button";
import { Field, FieldError } from "~/ui/field";
import { Input, Textarea } from "~/ui/input";
import { InputField } from "~/ui/input-field";
import { LinkButton } from "~/ui/link-button";
import { Logo, Mark } from "~/ui/logo";
import { Status, type StatusKind } from "~/ui/status";
import { Example } from "./example";

const VARIANTS = ["primary", "secondary", "ghost", "danger"] as const;
const ON_DARK = ["light", "outlined"] as const;
const SIZES = ["sm", "md", "lg"] as const;
const TONES = ["forest", "amber", "stone", "red"] as const;
const STATES: StatusKind[] = [
  "signed",
  "pending",
  "expired",
  "sending",
  "delivered",
  "kept",
  "cancelled",
  "revoked",
  "superseded",
  "erased",
  "notSent",
  "failed",
  "notMailed",
];

export function Controls() {
  return (
    <>
      <Example name="Button, LinkButton, DownloadButton">
        {VARIANTS.map((variant) => (
          <Button key={variant} variant={variant}>
            {variant}
          </Button>
        ))}
        {SIZES.map((size) => (
          <Button key={size} size={size}>
            Size {size}
          </Button>
        ))}
        <Button size="icon" aria-label="Send">
          <Send aria-hidden />
        </Button>
        <LinkButton to="/dev/ui">Link</LinkButton>
        <DownloadButton from="export-my-data" fileName="my data.zip">
          Download
        </DownloadButton>
        <Button busy>Busy</Button>
        <Button disabled>Disabled</Button>
        <span className="flex gap-3 rounded-card bg-[oklch(0.27_0.055_158)] p-3">
          {ON_DARK.map((variant) => (
            <Button key={variant} variant={variant}>
              {variant}
            </Button>
          ))}
        </span>
      </Example>
      <Example name="Field, Input, Textarea, InputField">
        <Field label="Plain" hint="A hint below the field">
          {(control) => <Input {...control} placeholder="Placeholder" />}
        </Field>
        <Field label="Required" required error="Please enter your name">
          {(control) => <Input {...control} />}
        </Field>
        <InputField label="Read only" readOnly value="rosa@example.com" />
        <Field label="Disabled">{(control) => <Input {...control} disabled value="Not now" />}</Field>
        <Field label="Several lines">
          {(control) => <Textarea {...control} defaultValue={"One\nTwo"} />}
        </Field>
        <FieldError>A message for a whole form</FieldError>
      </Example>
      <Example name="Choice">
        <ChoiceGroup legend="I am a:">
          <Choice icon={Building2} label="Company" name="shown" defaultChecked />
          <Choice icon={UserRound} label="Customer" name="shown" />
        </ChoiceGroup>
      </Example>
      <Example name="Badge, Status">
        {TONES.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
        {STATES.map((kind) => (
          <Status key={kind} kind={kind} />
        ))}
      </Example>
      <Example name="Logo, Mark">
        <Logo />
        <Mark className="size-12 text-forest" />
      </Example>
    </>
  );
}
