{{- define "cairn.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "cairn.labels" -}}
app.kubernetes.io/name: cairn
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "cairn.selector" -}}
app.kubernetes.io/name: cairn
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- /* What the pods of server, worker and migration have in common. */ -}}
{{- define "cairn.pod" -}}
automountServiceAccountToken: false
# Kubernetes would add variables such as CAIRN_SERVER_SERVICE_HOST, and Cairn refuses settings that it does not know.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  # Nothing in the data folder has to last: database and files are elsewhere, and secrets are in Secrets.
  - name: data
    emptyDir: {}
  - name: tmp
    emptyDir: {}
{{- with .Values.sealSecretName }}
  - name: seal
    secret:
      secretName: {{ . }}
      defaultMode: 0440
{{- end }}
{{- end -}}

{{- define "cairn.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
envFrom:
  - secretRef:
      name: {{ .Values.secretName }}
volumeMounts:
  - name: data
    mountPath: /var/lib/cairn
  - name: tmp
    mountPath: /tmp
{{- if .Values.sealSecretName }}
  - name: seal
    mountPath: /etc/cairn/seal
    readOnly: true
{{- end }}
{{- end -}}

{{- define "cairn.settings" -}}
- name: CAIRN_AUTH__SITE_URL
  value: {{ printf "https://%s" .Values.host | quote }}
{{- if .Values.sealSecretName }}
- name: CAIRN_DOCUMENTS__SEAL_PKCS12
  value: /etc/cairn/seal/seal.p12
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}
